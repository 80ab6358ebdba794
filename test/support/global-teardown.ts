import { rmSync } from 'node:fs';

const globalTeardown = (): void => rmSync(process.env['TEST_ASSEMBLY']!, { recursive: true, force: true });

export default globalTeardown;
