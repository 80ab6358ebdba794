import { Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions';
import { format, type Workflow } from '../../lib/workflow-kit/index.ts';

export const countdownWorkflow: Workflow = (kit) => {
  const announce = kit.progress('Announce', format('Counting down from {} seconds', '$.arguments.seconds'));
  const wait = new Wait(kit.scope, 'Count down', { time: WaitTime.secondsPath('$.arguments.seconds') });
  const liftOff = kit.result('Lift-off', {
    text: format('Lift-off after {} seconds.', '$.arguments.seconds'),
  });

  return announce.next(wait).next(liftOff);
};
