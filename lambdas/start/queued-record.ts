import * as z from 'zod';

/**
 * A record of the task table's stream, as far as it names a task; what it is started with is read anew.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
export const queuedRecord = z.object({
  dynamodb: z.object({
    SequenceNumber: z.string(),
    NewImage: z
      .object({ tenant: z.object({ S: z.string() }), taskId: z.object({ S: z.string() }) })
      .transform(({ tenant, taskId }) => ({ tenant: tenant.S, taskId: taskId.S })),
  }),
});
