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
const Named = z.object({ userId: z.string(), name: z.string().describe('The ID if the user is gone') }).meta({ id: 'NamedUser' });

const Seat = Named.extend({
  standing: z
    .enum(SEAT_STANDINGS)
    .describe(
      'The decisions still open to this person. `MayDecide`: approve or deny. `MayOnlyDeny`: deny. `Later`: none before `from`. ' +
        '`HasVoted`: none, because the person has decided. `Gone`: none any more',
    ),
  vote: z
    .object({ value: z.enum(['Approved', 'Denied']), date: IsoDate, reason: z.string().nullable() })
    .exactOptional()
    .describe('The decision, with a reason if one was given; absent before it'),
  obstacle: z.enum(OBSTACLES).exactOptional().describe('Why this person cannot decide, or cannot approve'),
  from: IsoDate.exactOptional().describe('When this person joins the group'),
});

export const Explanation = z
  .object({
    subject: z.object({ kind: z.enum(SUBJECT_KINDS), id: z.string() }).describe('The record that is explained'),
    stage: z.enum(STAGES).describe('The reason for the wait; `Ended` for a record that waits for nothing'),
    since: IsoDate.describe('When the stage began'),
    until: z
      .object({ date: IsoDate, outcome: z.string().describe('A clause in English') })
      .nullable()
      .describe('When and how the wait ends automatically; null if it does not'),
    initiator: Named.describe('The requester of the record'),
    summary: z.string().describe('One sentence in English'),
    sentences: z.array(z.string()).describe('The full explanation, summary first'),
    approval: z
      .object({
        approvalId: z.string(),
        status: z.string().describe('Status of the approval'),
        dateExpires: IsoDate.nullable().describe('When it is rejected automatically; null if it never expires'),
        unreachableSince: IsoDate.nullable().describe(
          'Since when the remaining approvers are known to be unable to reach the quorum',
        ),
        isReachable: z.boolean().describe('False while the remaining people of a group cannot meet its quorum'),
        groups: z.array(
          z.object({
            name: z.string().nullable().describe('Null for a group without a name'),
            policyId: z.string().describe('The policy that requires the group'),
            policyName: z.string(),
            quorum: z.int().describe('The approvals that it requires'),
            have: z.int().describe('The approvals that count so far'),
            most: z.int().describe('The most approvals it can still reach, capped at its quorum'),
            people: z.array(Seat),
          }),
        ),
      })
      .nullable()
      .describe('The approval that holds the record, or held it last; null if there is none'),
    freeze: z
      .object({
        freezeId: z.string(),
        target: z.object({ kind: z.enum(FREEZE_TARGETS), id: z.string() }),
        reason: z.string(),
        since: IsoDate.describe('When the freeze took effect'),
        by: Named.nullable().describe('Null if the service froze on its own'),
      })
      .nullable()
      .describe('The freeze that stops the record; null if none does'),
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
        dateTriggers: IsoDate.nullable().describe('When a missing answer triggers the policy; null if it never does'),
        dateClears: IsoDate.nullable().describe('When a missing answer lets the transfer continue; null if it never does'),
      })
      .nullable()
      .describe('The travel rule message of a transfer; null if there is none'),
    equalPayment: z
      .object({ requestId: z.string(), until: IsoDate })
      .nullable()
      .describe('The earlier request that this one looks like a duplicate of, until it is confirmed'),
    replacement: z
      .object({
        kind: z.enum(['Cancel', 'SpeedUp']).nullable().describe('How it replaces the other request; null if it replaces none'),
        takesPlaceOf: z.string().nullable().describe('The request or signature that it replaces; null if it replaces none'),
        replacedBy: z.string().nullable().describe('The latest request made to replace it; null if there is none'),
        isAborting: z.boolean().describe('True once the signer has been asked never to sign it'),
      })
      .nullable()
      .describe('How it competes with other requests of the wallet; null if it does not'),
    hindrance: z
      .object({
        kind: z.enum(BLOCKERS),
        since: IsoDate,
        detail: z.string().nullable().describe('An error code or a word of `docs/operations.md`; null if there is none'),
      })
      .nullable()
      .describe('The obstacle behind the stage that no decision can remove; null if there is none'),
    waitingAmendments: z
      .array(z.object({ amendmentId: z.string(), kind: z.enum(AMENDMENT_KINDS), since: IsoDate }))
      .describe(
        'Changes by members that the charter of the signer has yet to follow, oldest first, if they may be the reason why the ' +
          'signer refused the record; empty otherwise',
      ),
    fee: z
      .object({
        ceilingUnits: z.string().describe('The maximum fee, in smallest units'),
        decimals: z.int().describe('Decimals of those units'),
        symbols: z.array(z.string()).describe('Symbols of the assets that may pay it'),
        sponsor: z
          .object({ feeSponsorId: z.string(), name: z.string().nullable(), address: z.string().nullable() })
          .nullable()
          .describe('The sponsor that pays it; null if the wallet does'),
      })
      .nullable()
      .describe('Null for a record without a fee'),
    facts: z
      .object({
        dateJudged: IsoDate,
        outcome: z.string().describe('`Cleared`, `Held` or `Blocked`'),
        amountUsd: z.string().nullable().describe('Decimal dollars; null if the price or amount is unknown'),
        recipients: z.array(z.string()).describe('Addresses; empty if they cannot be determined'),
        network: z.string().nullable().describe('Null for a record without a network'),
        walletIds: z.array(z.string()).describe('The wallets that it was judged for'),
      })
      .nullable()
      .describe('The facts given to the policies at the latest judgement; null before it'),
    policies: z
      .array(
        z.object({
          policyId: z.string(),
          name: z.string(),
          version: z.int().describe('The version that was judged'),
          mode: z.enum(POLICY_MODES).describe('`Shadow` for a policy that is only tried'),
          rule: z.string().nullable().describe('Kind of its current rule; null if the policy is gone'),
          action: z.string().nullable().describe('Kind of its current action; null if the policy is gone'),
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
          sentence: z.string().describe('The same in English'),
        }),
      )
      .describe('The consequence of each decision that is still open'),
  })
  .meta({ id: 'Explanation' });
