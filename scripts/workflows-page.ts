import type { Assembly } from '../local/synth.ts';
import { ResolvedTemplate } from '../local/template.ts';
import { mermaid, type Definition } from './mermaid.ts';

const HEAD = `<!-- Made by \`npm run diagrams\`; a test checks that it is current. -->

# The workflows

What \`cdk deploy\` deploys, one state machine per task tool, with the names that the Step Functions console shows.
Doubly framed: a service is called, and the state takes as long as that does. Hexagons: a choice. Dotted: an error.
The frame named after the tool holds the tool's own states. Everything around it is the template's: it closes the
task's record, however the tool ends.
`;

/** All task tools' state machines as a page of Markdown. */
export const workflowsPage = ({ template }: Assembly): string => {
  const machines = new ResolvedTemplate(template).resources<{ DefinitionString: string }>(
    'AWS::StepFunctions::StateMachine',
  );
  const sections = machines.map(({ properties }) => {
    const definition = JSON.parse(properties.DefinitionString) as Definition;
    const tool = definition.StartAt.replace(/^Run /, '');
    return `\n## ${tool}\n\n\`\`\`mermaid\n${mermaid(definition)}\n\`\`\`\n`;
  });
  return HEAD + sections.join('');
};
