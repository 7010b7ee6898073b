import { z } from 'zod';
import { decideApprovals } from '../../../application/approvals/approvals';
import { commitmentToAll } from '../../../application/approvals/decision-digests';
import { operation } from '../../http/operation';
import { Approval, ApprovalParams, Decision } from './schemas';

const DECISIONS_MAX = 100;

const DecisionOfSeveral = Decision.extend({ approvalId: ApprovalParams.shape.approvalId });

/** An addition to the published interface: one signature covers several decisions. */
export const createApprovalDecisions = operation({
  id: 'createApprovalDecisions',
  method: 'post',
  path: '/v2/policy-approvals/decisions',
  tag: 'policies',
  summary: 'Approve or deny several held activities under one signature',
  description:
    'Each decision is accepted or refused independently, by the rules of `createApprovalDecision`: a refusal appears as ' +
    '`error` in its item, and the status is still 200. The user action signs the evidence of all the approvals together; if ' +
    'one approval has changed since the signature, no decision is accepted and the operation returns `UserActionInvalid` ' +
    '(403). Every approval that ends emits `policy.approval.resolved`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Policies:Approvals:Approve',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: z.strictObject({
    decisions: z
      .array(DecisionOfSeveral)
      .min(1)
      .max(DECISIONS_MAX)
      .refine((decisions) => new Set(decisions.map(({ approvalId }) => approvalId)).size === decisions.length, {
        message: 'must name each approval once',
      })
      .describe('Each approval once'),
  }),
  response: z.object({
    items: z
      .array(
        z.object({
          approvalId: z.string(),
          approval: Approval.optional().describe('The approval after the decision; absent if the decision was refused'),
          error: z
            .object({ id: z.string().describe('Stable code of the error'), status: z.int(), message: z.string() })
            .optional()
            .describe('Why the decision was refused'),
        }),
      )
      .describe('In the requested order, each with the resulting approval or the reason why the decision was refused'),
  }),
  commitment: (reader, _params, { decisions }) =>
    commitmentToAll(
      reader,
      decisions.map(({ approvalId }) => approvalId),
    ),
  handle: async ({ body, authority }, services) => {
    const decided = await decideApprovals(services, authority, body.decisions);
    return {
      items: decided.map((one) =>
        'approval' in one
          ? one
          : { approvalId: one.approvalId, error: { id: one.error.code, status: one.error.status, message: one.error.message } },
      ),
    };
  },
});
