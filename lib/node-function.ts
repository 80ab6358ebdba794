import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime, Tracing } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat, type NodejsFunctionProps } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { encryptionKeyOf, useEncryptionKey } from './edge/encryption-key.ts';
import { METRIC_NAMESPACE } from './observability/task-metric.ts';
import { settingsOf } from './settings.ts';

/** Some of the SDK's dependencies are CommonJS and call `require`, which an ES module does not have. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/** How every Lambda of this app is built: one minified ES module with everything in it, on ARM64. */
export class NodeFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, props: NodejsFunctionProps) {
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
      role,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: 512,
      timeout: Duration.seconds(29),
      tracing: Tracing.ACTIVE,
      logGroup,
      environmentEncryption: encryptionKey,
      bundling: {
        format: OutputFormat.ESM,
        target: 'node20',
        mainFields: ['module', 'main'],
        minify: true,
        sourceMap: true,
        sourcesContent: false,
        // The runtime's own copy of the AWS SDK changes under us; the one in the lock file does not.
        externalModules: [],
        banner: REQUIRE,
      },
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
