import type { Functions } from '../lambda/functions.ts';
import type { ResolvedTemplate } from '../template.ts';
import { matches, type EventPattern } from './pattern.ts';
import type { Event } from './status-change.ts';

interface RuleProperties {
  EventPattern?: EventPattern;
  State?: string;
  Targets?: { Arn: string }[];
}

/** Comes between the bus and its targets: may hold an event back, lose it, or deliver it twice. */
export type EventHook = (event: Event, deliver: () => Promise<void>) => Promise<void>;

export interface EventBusOptions {
  template: ResolvedTemplate;
  functions: Functions;
  log: (source: string, line: string) => void;
}

const ATTEMPTS = 3;
const PAUSE_MS = 200;

/** EventBridge's default bus: hands events to the functions that the template's rules name. */
export class EventBus {
  private readonly rules: { pattern: EventPattern; functionArns: string[] }[];
  private hooks: EventHook[] = [];
  private closed = false;

  constructor(private readonly options: EventBusOptions) {
    this.rules = options.template
      .resources<RuleProperties>('AWS::Events::Rule')
      .filter(({ properties }) => properties.EventPattern && properties.State !== 'DISABLED')
      .map(({ properties: { EventPattern: pattern = {}, Targets = [] } }) => ({
        pattern,
        functionArns: Targets.map(({ Arn }) => Arn).filter((arn) => arn.startsWith('arn:aws:lambda:')),
      }));
  }

  /** Returns how to take the hook out again. */
  intercept(hook: EventHook): () => void {
    this.hooks.push(hook);
    return () => {
      this.hooks = this.hooks.filter((other) => other !== hook);
    };
  }

  async put(event: Event): Promise<void> {
    const deliver = this.hooks.reduce<() => Promise<void>>(
      (next, hook) => () => hook(event, next),
      () => this.deliver(event),
    );
    await deliver().catch((error: unknown) => this.options.log('engine', String(error)));
  }

  close(): void {
    this.closed = true;
  }

  private async deliver(event: Event): Promise<void> {
    const arns = this.rules
      .filter(({ pattern }) => matches(pattern, event))
      .flatMap((rule) => rule.functionArns);
    await Promise.all(arns.map((arn) => this.invoke(arn, event)));
  }

  private async invoke(arn: string, event: Event): Promise<void> {
    const { functions, log } = this.options;
    for (let attempt = 1; attempt <= ATTEMPTS && !this.closed; attempt++) {
      const outcome = await functions.get(arn).invoke(event);
      if ('payload' in outcome) return;
      await new Promise((done) => setTimeout(done, PAUSE_MS * attempt).unref());
    }
    if (!this.closed) log('engine', `An event went to the dead letters of ${arn}: ${JSON.stringify(event)}`);
  }
}
