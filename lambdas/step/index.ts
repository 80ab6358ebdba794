export { cancelRequested } from './cancel-requested.ts';
export { ToolError } from '../protocol/tool-error.ts';
export { ProtocolError } from './protocol-error.ts';
export { step } from './step.ts';
export { storeResult } from './store-result.ts';
