/** A state machine in Amazon States Language, as far as a picture of it needs. */
export interface Definition {
  StartAt: string;
  States: Record<string, State>;
}

interface State {
  Type: string;
  Next?: string;
  Default?: string;
  Choices?: (Rule & { Next: string })[];
  Catch?: { ErrorEquals: string[]; Next: string }[];
  Branches?: Definition[];
  ItemProcessor?: Definition;
  Iterator?: Definition;
}

interface Rule {
  Variable?: string;
  And?: Rule[];
  Or?: Rule[];
  Not?: Rule;
  [comparison: string]: unknown;
}

/** Mermaid's brackets for each type of state; a task is what costs time, a choice is where to look. */
const SHAPES: Record<string, [open: string, close: string]> = {
  Choice: ['{{', '}}'],
  Task: ['[[', ']]'],
  Wait: ['([', '])'],
  Succeed: ['(((', ')))'],
  Fail: ['>', ']'],
};

/** A state machine as a Mermaid flowchart, the same text for the same definition. */
export const mermaid = (definition: Definition): string => {
  const lines = ['flowchart TD'];
  const edges: string[] = [];
  let last = 0;

  const draw = ({ StartAt, States }: Definition, indent: string): string => {
    const ids = Object.fromEntries(Object.keys(States).map((name) => [name, `s${(last += 1)}`]));
    for (const [name, state] of Object.entries(States)) {
      drawState(ids[name]!, name, state, indent);
      edges.push(...edgesOf(ids[name]!, state, ids));
    }
    return ids[StartAt]!;
  };

  const drawState = (id: string, name: string, state: State, indent: string): void => {
    const inner = [...(state.Branches ?? []), state.ItemProcessor ?? state.Iterator].filter(
      (definition) => definition !== undefined,
    );
    if (inner.length === 0) {
      const [open, close] = SHAPES[state.Type] ?? ['[', ']'];
      lines.push(`${indent}${id}${open}${quote(name)}${close}`);
      return;
    }
    lines.push(`${indent}subgraph ${id} [${quote(name)}]`, `${indent}  direction TB`);
    for (const definition of inner) draw(definition, `${indent}  `);
    lines.push(`${indent}end`);
  };

  const first = draw(definition, '  ');
  return [...lines, `  start(( )) --> ${first}`, ...edges.map((edge) => `  ${edge}`)].join('\n');
};

const edgesOf = (id: string, state: State, ids: Record<string, string>): string[] => [
  ...(state.Choices ?? []).map((rule) => `${id} -- ${quote(condition(rule))} --> ${ids[rule.Next]}`),
  ...(state.Default ? [`${id} -- "otherwise" --> ${ids[state.Default]}`] : []),
  ...(state.Next ? [`${id} --> ${ids[state.Next]}`] : []),
  ...(state.Catch ?? []).map(
    ({ ErrorEquals, Next }) => `${id} -. ${quote(ErrorEquals.join(', '))} .-> ${ids[Next]}`,
  ),
];

const OPERATORS: [suffix: string, sign: string][] = [
  ['GreaterThanEquals', '≥'],
  ['LessThanEquals', '≤'],
  ['GreaterThan', '>'],
  ['LessThan', '<'],
  ['Equals', '='],
  ['Matches', 'like'],
];

const condition = ({ And, Or, Not, Variable = '', Next: _, Comment: __, ...comparison }: Rule): string => {
  if (And) return And.map(condition).join(' and ');
  if (Or) return Or.map(condition).join(' or ');
  if (Not) return `not (${condition(Not)})`;
  const [name = '', value] = Object.entries(comparison)[0] ?? [];
  if (name.startsWith('Is')) return `${Variable} is ${value ? '' : 'not '}${name.slice(2).toLowerCase()}`;
  const sign = OPERATORS.find(([suffix]) => name.endsWith(suffix))?.[1] ?? name;
  return `${Variable} ${sign} ${JSON.stringify(value)}`;
};

/** Mermaid takes any text in quotes, with entities for what would end it. */
const quote = (text: string): string =>
  `"${text.replace(/[#"<>]/g, (character) => `#${character.charCodeAt(0)};`)}"`;
