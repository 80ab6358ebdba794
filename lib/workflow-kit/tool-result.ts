import { JsonPath, Pass } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';

export interface ToolResultProps {
  /** What a model or a person reads. May be a `format(…)`. */
  text: string;
  /** A JSONPath, or an object that may contain paths; it must match the tool's outputSchema. */
  structuredContent?: string | Record<string, unknown>;
  isError?: boolean;
}

/** The end of a workflow: a CallToolResult, exactly as the original request would have been answered. */
export class ToolResult extends Pass {
  constructor(scope: Construct, state: string, { text, structuredContent, isError }: ToolResultProps) {
    super(scope, state, {
      parameters: {
        resultType: 'complete',
        content: [{ type: 'text', text }],
        ...(structuredContent === undefined
          ? {}
          : {
              structuredContent:
                typeof structuredContent === 'string'
                  ? JsonPath.objectAt(structuredContent)
                  : structuredContent,
            }),
        ...(isError === undefined ? {} : { isError }),
      },
    });
  }
}
