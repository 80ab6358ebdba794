import { JsonPath } from 'aws-cdk-lib/aws-stepfunctions';

/**
 * A text with values of the state data in it: `format('Applying ({}/{})', '$.done', '$.total')`.
 * @param paths one JSONPath for each `{}`. A path that leads nowhere fails the execution with States.Runtime.
 */
export const format = (template: string, ...paths: string[]): string => {
  // Outside of a place, Step Functions wants a brace escaped, which it then writes with the backslash.
  if (/[{}]/.test(template.replaceAll('{}', ''))) {
    throw new Error(`format: "${template}" has a brace that is no place for a value`);
  }
  const slots = template.split('{}').length - 1;
  if (slots !== paths.length) {
    throw new Error(`format: "${template}" has ${slots} places for ${paths.length} paths`);
  }
  return JsonPath.format(template, ...paths.map((path) => JsonPath.stringAt(path)));
};
