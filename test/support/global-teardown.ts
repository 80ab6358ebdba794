import { rmSync } from 'node:fs';

const globalTeardown = (): void => {
  for (const name of ['TEST_ASSEMBLY', 'TEST_ASSEMBLY_AUTH', 'FAULTS_ASSEMBLY', 'CONFORMANCE_ASSEMBLY']) {
    rmSync(process.env[name]!, { recursive: true, force: true });
  }
};

export default globalTeardown;
