import { z } from 'zod';
import { NEXT_DECISIONS, NEXT_OUTCOMES, SEAT_STANDINGS, SUBJECT_KINDS } from '../application/explain/explanation';
import { AMENDMENT_KINDS } from '../domain/amendments';
import { FREEZE_TARGETS } from '../domain/freezes';
import { POLICY_MODES } from '../domain/policies';
import { OBSTACLES } from '../domain/reachability';
import { SCREENING_VENDORS } from '../domain/screenings';
import { TRAVEL_RULE_STATES } from '../domain/travel-rules';
import { BLOCKERS, STAGES } from '../domain/waiting-stages';

const IsoDate = z.iso.datetime();
const Named = z
  .object({ userId: z.string(), name: z.string().describe('The name of the user, or the ID if the user no longer exists') })
  .meta({ id: 'NamedUser' });

const Seat = Named.extend({
  standing: z
    .enum(SEAT_STANDINGS)
    .describe(
      'The decisions that this person can still make. `MayDecide`: approve or deny. `MayOnlyDeny`: deny. `Later`: none before ' +
        '`from`. `HasVoted`: none, because the person has decided. `Gone`: none, because the user no longer exists',
    ),
  vote: z
    .object({ value: z.enum(['Approved', 'Denied']), date: IsoDate, reason: z.string().nullable() })
    .exactOptional()
    .describe('The decision, with its reason if the person gave a reason; absent before the decision'),
  obstacle: z.enum(OBSTACLES).exactOptional().describe('Why this person cannot decide, or cannot approve'),
  from: IsoDate.exactOptional().describe('When this person joins the group'),
});

export const Explanation = z
  .object({
    subject: z.object({ kind: z.enum(SUBJECT_KINDS), id: z.string() }).describe('The record that is explained'),
    stage: z.enum(STAGES).describe('The reason for the wait; `Ended` for a record that no longer waits'),
    since: IsoDate.describe('When the stage began'),
    until: z
      .object({ date: IsoDate, outcome: z.string().describe('A clause in English') })
      .nullable()
      .describe('When and how the wait ends automatically; null if it does not end automatically'),
    initiator: Named.describe('The requester of the record'),
    summary: z.string().describe('One sentence in English'),
    sentences: z.array(z.string()).describe('The full explanation, summary first'),
    approval: z
      .object({
        approvalId: z.string(),
        status: z.string().describe('Status of the approval'),
        dateExpires: IsoDate.nullable().describe(
          'When the approval is rejected automatically; null if the approval never expires',
        ),
        unreachableSince: IsoDate.nullable().describe(
          'Since when the remaining approvers are known to be unable to reach the quorum',
        ),
        isReachable: z.boolean().describe('False while the remaining people of a group cannot meet its quorum'),
        groups: z.array(
          z.object({
            name: z.string().nullable().describe('Null for a group without a name'),
            policyId: z.string().describe('The policy that requires the group'),
            policyName: z.string(),
            quorum: z.int().describe('The number of approvals that the group requires'),
            have: z.int().describe('The number of approvals that are valid so far'),
            most: z.int().describe('The maximum number of approvals that the group can still reach, capped at its quorum'),
            people: z.array(Seat),
          }),
        ),
      })
      .nullable()
      .describe('The approval that holds the record, or that last held it; null if no approval ever did'),
    freeze: z
      .object({
        freezeId: z.string(),
        target: z.object({ kind: z.enum(FREEZE_TARGETS), id: z.string() }),
        reason: z.string(),
        since: IsoDate.describe('When the freeze took effect'),
        by: Named.nullable().describe('Null if the service itself froze the target'),
      })
      .nullable()
      .describe('The freeze that stops the record; null if no freeze stops the record'),
    offline: z
      .object({
        storeId: z.string().describe('The key store of the key'),
        group: z
          .object({
            groupId: z.string(),
            since: IsoDate.describe('When the group was made'),
            by: Named.describe('The user who made the group'),
          })
          .nullable()
          .describe('The group that carries the record to the device; null until a group does'),
      })
      .nullable()
      .describe('Null unless the record waits for the signature of an offline device'),
    screenings: z
      .array(
        z.object({
          screeningId: z.string(),
          vendor: z.enum(SCREENING_VENDORS),
          dateAsked: IsoDate,
          dateAnswered: IsoDate.nullable().describe('Null while the vendor is queried'),
          result: z
            .string()
            .nullable()
            .describe('`Screened`, or the reason why there is no finding; null while the vendor is queried'),
        }),
      )
      .describe('The queries to screening vendors about the record, oldest first'),
    travelRule: z
      .object({
        messageId: z.string(),
        state: z.enum(TRAVEL_RULE_STATES),
        dateAsked: IsoDate,
        dateTriggers: IsoDate.nullable().describe(
          'The time at which the policy triggers if the answer is still missing; null if a missing answer never triggers the ' +
            'policy',
        ),
        dateClears: IsoDate.nullable().describe(
          'The time at which the transfer continues if the answer is still missing; null if a missing answer never clears the ' +
            'transfer',
        ),
      })
      .nullable()
      .describe('The travel rule message of a transfer; null if there is none'),
    equalPayment: z
      .object({ requestId: z.string(), until: IsoDate })
      .nullable()
      .describe('The earlier request that this request seems to duplicate, until this request is confirmed'),
    replacement: z
      .object({
        kind: z
          .enum(['Cancel', 'SpeedUp'])
          .nullable()
          .describe('How this request replaces another request; null if it does not replace a request'),
        takesPlaceOf: z
          .string()
          .nullable()
          .describe('The request or signature that this request replaces; null if it does not replace anything'),
        replacedBy: z
          .string()
          .nullable()
          .describe('The latest request that was made to replace this request; null if no such request exists'),
        isAborting: z.boolean().describe('True once the service has requested that the signer never sign this request'),
      })
      .nullable()
      .describe('How this request competes with other requests of the wallet; null if it does not compete'),
    hindrance: z
      .object({
        kind: z.enum(BLOCKERS),
        since: IsoDate,
        detail: z.string().nullable().describe('An error code, or a term from `docs/operations.md`; null if neither applies'),
      })
      .nullable()
      .describe('The technical obstacle, which no decision by a person can remove; null without an obstacle'),
    waitingAmendments: z
      .array(z.object({ amendmentId: z.string(), kind: z.enum(AMENDMENT_KINDS), since: IsoDate }))
      .describe(
        "Changes that members have signed and that the signer's charter does not contain yet, oldest first, if these changes " +
          'might be the reason why the signer refused the record; otherwise empty',
      ),
    fee: z
      .object({
        ceilingUnits: z.string().describe('The maximum fee, in smallest units'),
        decimals: z.int().describe('Decimals of the assets in `symbols`'),
        symbols: z.array(z.string()).describe('Symbols of the assets that may pay the fee'),
        sponsor: z
          .object({ feeSponsorId: z.string(), name: z.string().nullable(), address: z.string().nullable() })
          .nullable()
          .describe('The sponsor that pays the fee; null if the wallet pays the fee'),
      })
      .nullable()
      .describe('Null for a record without a fee'),
    facts: z
      .object({
        dateJudged: IsoDate,
        outcome: z.string().describe('`Cleared`, `Held` or `Blocked`'),
        amountUsd: z.string().nullable().describe('Decimal dollars; null if the price or amount is unknown'),
        recipients: z.array(z.string()).describe('Addresses; empty if the recipients cannot be determined'),
        network: z.string().nullable().describe('Null for a record without a network'),
        walletIds: z.array(z.string()).describe('The wallets for which the record was judged'),
      })
      .nullable()
      .describe('The facts that the policies received at the latest judgement; null before the first judgement'),
    policies: z
      .array(
        z.object({
          policyId: z.string(),
          name: z.string(),
          version: z.int().describe('The version that was judged'),
          mode: z.enum(POLICY_MODES).describe('`Shadow` for a policy that is only tried out'),
          rule: z.string().nullable().describe('Kind of the current rule of the policy; null if the policy no longer exists'),
          action: z.string().nullable().describe('Kind of the current action of the policy; null if the policy no longer exists'),
          triggered: z.boolean(),
          reason: z.string().describe('The finding in English'),
        }),
      )
      .describe('The finding of each policy at the latest judgement'),
    next: z
      .array(
        z.object({
          decision: z.enum(NEXT_DECISIONS),
          outcome: z
            .enum(NEXT_OUTCOMES)
            .describe('`Released`: the record continues. `GroupComplete` and `OneMore`: further approvals are required'),
          by: z.array(Named).describe('The people who can make this decision; empty for `Nothing`'),
          sentence: z.string().describe('The decision and its outcome as a sentence in English'),
        }),
      )
      .describe('The consequence of each decision that can still be made'),
  })
  .meta({ id: 'Explanation' });
