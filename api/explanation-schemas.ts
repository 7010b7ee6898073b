import { z } from 'zod';
import { NEXT_DECISIONS, NEXT_OUTCOMES, SEAT_STANDINGS, SUBJECT_KINDS } from '../application/explain/explanation';
import { FREEZE_TARGETS } from '../domain/freezes';
import { POLICY_MODES } from '../domain/policies';
import { OBSTACLES } from '../domain/reachability';
import { SCREENING_VENDORS } from '../domain/screenings';
import { TRAVEL_RULE_STATES } from '../domain/travel-rules';
import { BLOCKERS, STAGES } from '../domain/waiting-stages';

const IsoDate = z.iso.datetime();
const Named = z.object({ userId: z.string(), name: z.string() });

const Seat = Named.extend({
  standing: z.enum(SEAT_STANDINGS).describe('The decisions still open to this person'),
  vote: z.object({ value: z.enum(['Approved', 'Denied']), date: IsoDate, reason: z.string().nullable() }).exactOptional(),
  obstacle: z.enum(OBSTACLES).exactOptional().describe('Why this person cannot decide, or cannot approve'),
  from: IsoDate.exactOptional().describe('When this person joins the group'),
});

/** The reason why a record waits, as data and in plain words. */
export const Explanation = z
  .object({
    subject: z.object({ kind: z.enum(SUBJECT_KINDS), id: z.string() }),
    stage: z.enum(STAGES).describe('The reason for the wait'),
    since: IsoDate,
    until: z.object({ date: IsoDate, outcome: z.string() }).nullable().describe('When and how the wait ends automatically'),
    initiator: Named,
    summary: z.string(),
    sentences: z.array(z.string()).describe('The full explanation, summary first'),
    approval: z
      .object({
        approvalId: z.string(),
        status: z.string(),
        dateExpires: IsoDate.nullable(),
        unreachableSince: IsoDate.nullable().describe(
          'Since when the remaining approvers are known to be unable to reach the quorum',
        ),
        isReachable: z.boolean(),
        groups: z.array(
          z.object({
            name: z.string().nullable(),
            policyId: z.string(),
            policyName: z.string(),
            quorum: z.int(),
            have: z.int(),
            most: z.int().describe('The most approvals it can still reach, capped at its quorum'),
            people: z.array(Seat),
          }),
        ),
      })
      .nullable(),
    freeze: z
      .object({
        freezeId: z.string(),
        target: z.object({ kind: z.enum(FREEZE_TARGETS), id: z.string() }),
        reason: z.string(),
        since: IsoDate,
        by: Named.nullable().describe('Null if the service froze on its own'),
      })
      .nullable(),
    screenings: z.array(
      z.object({
        screeningId: z.string(),
        vendor: z.enum(SCREENING_VENDORS),
        dateAsked: IsoDate,
        dateAnswered: IsoDate.nullable(),
        result: z.string().nullable(),
      }),
    ),
    travelRule: z
      .object({
        messageId: z.string(),
        state: z.enum(TRAVEL_RULE_STATES),
        dateAsked: IsoDate,
        dateTriggers: IsoDate.nullable(),
        dateClears: IsoDate.nullable(),
      })
      .nullable(),
    equalPayment: z
      .object({ requestId: z.string(), until: IsoDate })
      .nullable()
      .describe('The earlier request that this one looks like a duplicate of, until it is confirmed'),
    replacement: z
      .object({
        kind: z.enum(['Cancel', 'SpeedUp']).nullable().describe('How it replaces the other request'),
        takesPlaceOf: z.string().nullable(),
        replacedBy: z.string().nullable().describe('The latest request made to replace it'),
        isAborting: z.boolean().describe('True once the signer has been asked never to sign it'),
      })
      .nullable(),
    hindrance: z.object({ kind: z.enum(BLOCKERS), since: IsoDate, detail: z.string().nullable() }).nullable(),
    fee: z
      .object({
        ceilingUnits: z.string().describe('The maximum fee, in smallest units'),
        decimals: z.int(),
        symbols: z.array(z.string()).describe('Symbols of the assets that may pay it'),
        sponsor: z
          .object({ feeSponsorId: z.string(), name: z.string().nullable(), address: z.string().nullable() })
          .nullable()
          .describe('The sponsor that pays it; null if the wallet does'),
      })
      .nullable(),
    facts: z
      .object({
        dateJudged: IsoDate,
        outcome: z.string(),
        amountUsd: z.string().nullable().describe('Decimal dollars; null if the price or amount is unknown'),
        recipients: z.array(z.string()),
        network: z.string().nullable(),
        walletIds: z.array(z.string()),
      })
      .nullable()
      .describe('The facts given to the policies at the latest judgement'),
    policies: z.array(
      z.object({
        policyId: z.string(),
        name: z.string(),
        version: z.int(),
        mode: z.enum(POLICY_MODES),
        rule: z.string().nullable(),
        action: z.string().nullable(),
        triggered: z.boolean(),
        reason: z.string(),
      }),
    ),
    next: z
      .array(
        z.object({
          decision: z.enum(NEXT_DECISIONS),
          outcome: z.enum(NEXT_OUTCOMES),
          by: z.array(Named),
          sentence: z.string(),
        }),
      )
      .describe('The consequence of each decision that is still open'),
  })
  .meta({ id: 'Explanation' });
