import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime, Tracing, type FunctionOptions } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bundle } from './bundle.ts';
import { encryptionKeyOf, useEncryptionKey } from './edge/encryption-key.ts';
import { METRIC_NAMESPACE } from './observability/task-metric.ts';
import { settingsOf } from './settings.ts';

export interface NodeFunctionProps extends FunctionOptions {
  /** Path of the source file with the `handler`. */
  entry: string;
}

/** How every Lambda of this app is built: one minified ES module with everything in it, on ARM64. */
export class NodeFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, { entry, ...props }: NodeFunctionProps) {
    const { logRetention, dataRemoval, logLevel } = settingsOf(scope);
    const encryptionKey = encryptionKeyOf(scope);
    const logGroup = new LogGroup(scope, `${id} logs`, {
      retention: logRetention,
      removalPolicy: dataRemoval,
      encryptionKey,
    });
    // Its own log and nothing else's: the policy that AWS has for this lets a function write into every log there is.
    const role = new Role(scope, `${id} role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    super(scope, id, {
      code: bundle(entry),
      handler: 'index.handler',
      role,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(29),
      tracing: Tracing.ACTIVE,
      logGroup,
      environmentEncryption: encryptionKey,
      ...props,
      environment: {
        NODE_OPTIONS: '--enable-source-maps',
        POWERTOOLS_LOG_LEVEL: logLevel,
        POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE,
        POWERTOOLS_SERVICE_NAME: Stack.of(scope).stackName,
        ...props.environment,
      },
    });
    useEncryptionKey(this);
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Tracing: X-Ray has no resources to name. What a function may do beyond that is in its role.',
    });
  }
}
