import { afterAll } from '@jest/globals';
import { removeAssembly, synthesize, type Assembly, type SynthesizeOptions } from '../../local/synth.ts';

/** Synthesises an app for this suite alone, and removes it afterwards. For `useEngine({}, useAssembly(…))`. */
export const useAssembly = (options: SynthesizeOptions): (() => Promise<Assembly>) => {
  let assembly: Assembly | undefined;
  afterAll(() => assembly && removeAssembly(assembly));
  return async () => (assembly = await synthesize(options));
};
