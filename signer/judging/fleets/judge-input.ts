import { CEREMONY_LAPSES_AFTER_MS, IS_CEREMONY, KEY_USE_LAPSES_AFTER_MS } from '../../../domain/fleets';
import { canonical } from '../../../platform/canonical';
import { FleetInput, SignedInput } from '../../../platform/fleets/inputs';
import { parseStrictJson } from '../../../platform/strict-json';
import type { Fleets } from '../../record/fleets/fleets';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { CLOCK_DRIFT_MS_MAX } from '../order-checks';

type Json = Parameters<typeof canonical>[0];

/** Undefined unless the text is canonical JSON, so that no two parsers read it differently. */
export function canonicalJson(text: string): unknown {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  return json.ok && canonical(json.value as Json) === text ? json.value : undefined;
}

/** Throws the `Refusal` `MalformedOrder` unless the text is an input in canonical form. */
export function readInput(text: string): FleetInput {
  const input = FleetInput.safeParse(canonicalJson(text)).data;
  if (!input) throw new Refusal('MalformedOrder');
  return input;
}

export function readSignedInput(text: string): SignedInput {
  const signed = SignedInput.safeParse(canonicalJson(text)).data;
  if (!signed) throw new Refusal('MalformedOrder');
  return signed;
}

type Group = { readonly orgId: string; readonly requestId: string };
/** Throws a `Refusal` unless the input is of this group, organisation and signer. */
export function assertOfGroup(input: FleetInput, { orgId, requestId }: Group, signerId: string): void {
  refuseUnless(input.signerId === signerId && input.orgId === orgId && input.groupId === requestId, 'FleetInputMismatch');
}

/** Throws the `Refusal` `FleetInputMismatch` for an input that lasts longer than a group of its kind, or that has ended. */
export function assertLife({ dateIssued, notAfter, task }: FleetInput, nowMs: number): void {
  const [issuedMs, endsMs] = [Date.parse(dateIssued), Date.parse(notAfter)];
  const lastsMsMax = IS_CEREMONY[task.kind] ? CEREMONY_LAPSES_AFTER_MS : KEY_USE_LAPSES_AFTER_MS;
  refuseUnless(issuedMs <= nowMs + CLOCK_DRIFT_MS_MAX, 'ClockDrift');
  refuseUnless(nowMs <= endsMs && endsMs - issuedMs <= lastsMsMax, 'FleetInputMismatch');
}

/** Throws a `Refusal` unless the input continues the last manifest that the journal has for the store. */
export function assertContinues({ manifest, abandons, fleetId, task }: FleetInput, head: ReturnType<Fleets['head']>): void {
  refuseUnless(manifest === (head?.digest ?? null), 'ManifestNotNext');
  refuseUnless((task.kind === 'Genesis') === (head === undefined), 'ManifestNotNext');
  refuseUnless(head === undefined || head.manifest.fleetId === fleetId, 'FleetInputMismatch');
  // A device that left the committed manifest would no longer belong to the fleet.
  refuseUnless(manifest === null || !abandons.includes(manifest), 'FleetInputMismatch');
}
