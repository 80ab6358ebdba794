import { intrinsicFailure, runtimeError, StateError } from '../errors.ts';
import type { Json } from '../json.ts';
import { functions } from './intrinsic-functions.ts';
import { readPath, type Source } from './paths.ts';

type Expression =
  | { call: string; args: Expression[] }
  | { path: string }
  /** A text between quotes, its escapes not yet resolved. */
  | { literal: string }
  | { value: Json };

/** Evaluates `States.Format('{} of {}', $.done, States.ArrayLength($.list))` and its like. */
export const evaluateIntrinsic = (text: string, source: Source): Json =>
  evaluate(new Parser(text).parse(), source);

const evaluate = (expression: Expression, source: Source): Json => {
  if ('value' in expression) return expression.value;
  if ('path' in expression) return readPath(expression.path, source);
  if ('literal' in expression) return expression.literal.replace(/\\(.)/gs, '$1');
  const { call, args } = expression;
  const execute = functions[call];
  if (!execute) throw runtimeError(`The intrinsic function ${call} does not exist.`);
  const [first] = args;
  // In a format's own text an escaped brace is no place for a value, so it must still show as escaped.
  const template = call === 'States.Format' && first && 'literal' in first ? first.literal : undefined;
  const values = args.map((arg) => evaluate(arg, source));
  if (template !== undefined) values[0] = template;
  try {
    return execute(...values);
  } catch (error) {
    if (error instanceof StateError) throw error;
    throw intrinsicFailure(`${call} failed: ${(error as Error).message}`);
  }
};

/** Recursive descent over a call; arguments are calls, paths, quoted texts, numbers, booleans and null. */
class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  parse(): Expression {
    const expression = this.expression();
    if (this.skipSpace() < this.text.length) this.fail();
    return expression;
  }

  private expression(): Expression {
    this.skipSpace();
    if (this.text[this.at] === "'") return { literal: this.quoted() };
    if (this.text[this.at] === '$') return { path: this.path() };
    const word = this.take(/[\w.+-]+/y);
    if (this.text[this.at] === '(') return { call: word, args: this.args() };
    try {
      return { value: JSON.parse(word) as Json };
    } catch {
      return this.fail();
    }
  }

  private args(): Expression[] {
    const args: Expression[] = [];
    this.at++;
    while (this.text[this.skipSpace()] !== ')') {
      args.push(this.expression());
      if (this.text[this.skipSpace()] === ',') this.at++;
      else if (this.text[this.at] !== ')') this.fail();
    }
    this.at++;
    return args;
  }

  private quoted(): string {
    return this.take(/'(?:\\.|[^'\\])*'/sy).slice(1, -1);
  }

  /** A path ends at the comma or parenthesis that is not within its own brackets or quotes. */
  private path(): string {
    return this.take(/\$(?:\[(?:'[^']*'|"[^"]*"|[^\]'"])*\]|[^\s,()[\]])*/y);
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found] = pattern.exec(this.text) ?? this.fail();
    this.at += found.length;
    return found;
  }

  private skipSpace(): number {
    while (/\s/.test(this.text[this.at] ?? '')) this.at++;
    return this.at;
  }

  private fail(): never {
    throw runtimeError(`The intrinsic '${this.text}' is malformed at position ${this.at}.`);
  }
}
