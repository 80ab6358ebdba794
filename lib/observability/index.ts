import { Aws, CfnOutput } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { Alarms } from './alarms.ts';
import { TaskDashboard } from './dashboard.ts';
import type { Observed } from './observed.ts';

/** What an operator has: alarms that say what they mean, and a dashboard to keep open. */
export class Observability extends Construct {
  constructor(scope: Construct, id: string, observed: Observed) {
    super(scope, id);
    const { alarms } = new Alarms(this, 'Alarms', observed);
    const { dashboardName } = new TaskDashboard(this, 'Dashboard', { ...observed, alarms });
    new CfnOutput(this, 'DashboardUrl', {
      value: `https://${Aws.REGION}.console.aws.amazon.com/cloudwatch/home?region=${Aws.REGION}#dashboards/dashboard/${dashboardName}`,
    });
  }
}
