import { randomUUID } from 'node:crypto';
import type { ResolvedTemplate } from '../template.ts';
import { Callbacks } from './callbacks.ts';
import { Execution, type ExecutionEnd } from './execution.ts';
import type { Services } from './services.ts';
import { StateMachine } from './state-machine.ts';

export type OnExecutionEnd = (end: ExecutionEnd) => void;

/** The state machines of a template and their executions, which live in memory. */
export class StepFunctions {
  readonly machines: StateMachine[];
  readonly callbacks = new Callbacks();
  /** In the order of their start. */
  private readonly executions = new Map<string, Execution>();
  private readonly listeners = new Set<OnExecutionEnd>();
  private readonly services: Services;

  constructor(
    template: ResolvedTemplate,
    services: Omit<Services, 'callbacks'>,
    { definitionsChecked = false }: { definitionsChecked?: boolean | undefined } = {},
  ) {
    this.machines = template
      .resources('AWS::StepFunctions::StateMachine')
      .map((resource) => new StateMachine(resource, definitionsChecked));
    this.services = { ...services, callbacks: this.callbacks };
  }

  machine(arn: string): StateMachine | undefined {
    return this.machines.find((machine) => machine.arn === arn);
  }

  execution(arn: string): Execution | undefined {
    return this.executions.get(arn);
  }

  executionsOf(machine: StateMachine): Execution[] {
    return [...this.executions.values()].filter((execution) => execution.machine === machine);
  }

  executionNamed(machine: StateMachine, name: string): Execution | undefined {
    return this.executionsOf(machine).find((execution) => execution.name === name);
  }

  start(machine: StateMachine, input: string, name: string = randomUUID()): Execution {
    const execution = new Execution(machine, name, input, (end) => {
      for (const listener of this.listeners) listener(end);
    });
    this.executions.set(execution.arn, execution);
    void execution.run(this.services);
    return execution;
  }

  /** Returns how to stop listening. */
  onExecutionEnd(listener: OnExecutionEnd): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): void {
    for (const execution of this.executions.values()) execution.discard();
  }
}
