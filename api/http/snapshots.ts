import { z } from 'zod';
import type { EventKind } from '../../domain/events';
import type { ChangeActivityKind } from '../../domain/policies';

/**
 * The names of the snapshots whose schemas belong to an area. The first four are subjects of activities. `eventData` is the
 * data of an event.
 */
type SnapshotName = 'transferRequest' | 'transactionRequest' | 'signatureRequest' | 'blockchainEvent' | 'eventData';

/**
 * The schemas of all snapshots. `openapi.ts` receives these schemas as an argument, so that this folder imports no area of the
 * API.
 */
export type SnapshotForms = {
  readonly members: Readonly<Record<SnapshotName, z.ZodType>>;
  /** Returns the schema of the change requests for this kind of activity. */
  readonly changesOf: (kind: ChangeActivityKind) => z.ZodType;
  readonly events: Readonly<Record<EventKind, z.ZodType>>;
};

/**
 * `of` returns the schema of a snapshot. `io` is `input` for the body of a request, because the document describes the body as
 * the caller sends it. Every other snapshot is described as the service returns it.
 */
export type SnapshotForm = { readonly io: 'input' | 'output'; readonly of: (forms: SnapshotForms) => z.ZodType };

const FORMS = new WeakMap<z.core.$ZodType, SnapshotForm>();

/**
 * Marks the schema of a stored snapshot, which an earlier release may have written. The document shows the schema of this
 * release, but responses are not validated against that schema.
 */
function kept<T extends z.ZodType>(stored: T, form: SnapshotForm): T {
  FORMS.set(stored, form);
  return stored;
}

const anyObject = (description: string) => z.record(z.string(), z.unknown()).describe(description);

const AS_IT_WAS = "As it was then; an earlier release may have written it in that release's form";

/** The body of a request, as its caller sent it. */
export const bodyAsSent = (body: z.ZodType) =>
  kept(anyObject("As it was sent; a request from an earlier release may have that release's form"), {
    io: 'input',
    of: () => body,
  });

/** The schema of a record that an activity or an event contains. */
export const snapshot = (name: SnapshotName) => kept(anyObject(AS_IT_WAS), { io: 'output', of: ({ members }) => members[name] });

/** The schema of the change that an activity requests. */
export const changeSnapshot = (kind: ChangeActivityKind) =>
  kept(anyObject(AS_IT_WAS), { io: 'output', of: ({ changesOf }) => changesOf(kind) });

/** The schema of a stored name. The name may be from an earlier release and missing in today's list of names. */
export const keptName = (names: z.ZodType) => kept(z.string(), { io: 'output', of: () => names });

/** Returns the form of a marked snapshot; undefined for any other schema. */
export const formOf = (schema: z.core.$ZodType): SnapshotForm | undefined => FORMS.get(schema);
