import { awsError, type AwsReply } from '../aws/calls.ts';

/** An error of the Step Functions API, by its AWS name. */
export class ApiError extends Error {
  constructor(
    readonly type: string,
    message: string,
  ) {
    super(message);
  }

  get reply(): AwsReply {
    return awsError(this.type, this.message);
  }
}
