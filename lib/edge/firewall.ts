import { Validations } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { settingsOf } from '../settings.ts';

/** Rules of the common group that refuse what is normal here: a client without User-Agent, a body of over 8 KB. */
const NORMAL_HERE = ['NoUserAgent_HEADER', 'SizeRestrictions_BODY'];

const metrics = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  // Samples would show headers of requests, tokens among them.
  sampledRequestsEnabled: false,
});

const managed = (name: string, priority: number, counted: string[] = []): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: metrics(name),
});

/** A web application firewall in front of a stage: a limit per source address, and rules that AWS maintains. */
class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stageArn }: { stageArn: string }) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: metrics('Firewall'),
      rules: [
        {
          name: 'RatePerAddress',
          priority: 0,
          action: { block: { customResponse: { responseCode: 429 } } },
          statement: {
            rateBasedStatement: {
              aggregateKeyType: 'IP',
              evaluationWindowSec: 60,
              limit: settingsOf(this).firewallRequestsPerMinute,
            },
          },
          visibilityConfig: metrics('RatePerAddress'),
        },
        managed('AWSManagedRulesAmazonIpReputationList', 1),
        managed('AWSManagedRulesKnownBadInputsRuleSet', 2),
        managed('AWSManagedRulesCommonRuleSet', 3, NORMAL_HERE),
      ],
    });
    new CfnWebACLAssociation(this, 'Association', { webAclArn: acl.attrArn, resourceArn: stageArn });
  }
}

/** With the setting, a firewall in front of the API. It costs by the month, so it has to be asked for. */
export const addFirewall = (restApi: RestApi): void => {
  if (settingsOf(restApi).firewall) {
    new Firewall(restApi, 'Firewall', { stageArn: restApi.deploymentStage.stageArn });
    return;
  }
  Validations.of(restApi).acknowledge({
    id: 'AwsSolutions-APIG3',
    reason:
      'It costs by the month. The stage is throttled and callers are verified: -c firewall=true adds it.',
  });
};
