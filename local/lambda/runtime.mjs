// The Node.js runtime of Lambda, in a worker thread: loads the bundle once, then runs an invocation per message.
// Plain JavaScript, since a worker starts without the loader that runs the rest of the engine.
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { HttpResponseStream, ResponseStream } from './response-stream.mjs';

const STREAMING = Symbol('streaming handler');

globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { [STREAMING]: true }),
  HttpResponseStream,
};
process.setSourceMapsEnabled(true);
process.on('unhandledRejection', (reason) => {
  throw Object.assign(new Error(String(reason)), { name: 'Runtime.UnhandledPromiseRejection' });
});

const post = (message) => parentPort.postMessage(message);
const streams = new Map();

const toFunctionError = (error) =>
  error instanceof Error
    ? { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] }
    : { errorType: typeof error, errorMessage: String(error), trace: [] };

const loadHandler = async () => {
  const module = await import(pathToFileURL(workerData.file).href);
  const handler = module[workerData.handler] ?? module.default?.[workerData.handler];
  if (typeof handler === 'function') return handler;
  const name = `${workerData.file}.${workerData.handler}`;
  throw Object.assign(new Error(`${name} is undefined or not exported`), { name: 'Runtime.HandlerNotFound' });
};

const contextOf = ({ id, deadline }) => ({
  awsRequestId: id,
  callbackWaitsForEmptyEventLoop: true,
  functionName: workerData.functionName,
  functionVersion: '$LATEST',
  invokedFunctionArn: workerData.functionArn,
  memoryLimitInMB: workerData.memoryLimitInMB,
  logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
  logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
});

const stream = async (handler, event, invocation) => {
  const { id } = invocation;
  const response = new ResponseStream((message) => post({ ...message, id }));
  streams.set(id, response);
  const closed = new Promise((done) => response.once('close', done));
  await handler(event, response, contextOf(invocation));
  // A handler that forgets to end its stream runs into its timeout, as on Lambda.
  await closed;
};

const invoke = async (handler, invocation) => {
  const { id } = invocation;
  try {
    const event = JSON.parse(invocation.event);
    if (handler[STREAMING]) {
      await stream(handler, event, invocation);
      post({ type: 'result', id, payload: 'null' });
    } else {
      const result = await handler(event, contextOf(invocation));
      post({ type: 'result', id, payload: JSON.stringify(result) ?? 'null' });
    }
  } catch (error) {
    post({ type: 'error', id, error: toFunctionError(error) });
  } finally {
    streams.delete(id);
  }
};

try {
  const handler = await loadHandler();
  parentPort.on('message', (message) => {
    if (message.type === 'invoke') void invoke(handler, message);
    else if (message.type === 'cancel') streams.get(message.id)?.destroy();
  });
  post({ type: 'ready' });
} catch (error) {
  post({ type: 'init-error', error: toFunctionError(error) });
}
