import { z } from 'zod';
import type { EventKind } from '../../domain/events';
import type { ChangeActivityKind } from '../../domain/policies';

/** Snapshots whose schemas belong to other areas: the subjects of activities and the data of events. */
type SnapshotName = 'transferRequest' | 'transactionRequest' | 'signatureRequest' | 'blockchainEvent' | 'eventData';

/** The schemas of all snapshots. `openapi.ts` receives them as an argument, because no area may import another. */
export type SnapshotForms = {
  readonly members: Readonly<Record<SnapshotName, z.ZodType>>;
  /** The change requests that policies of this kind judge. */
  readonly changesOf: (kind: ChangeActivityKind) => z.ZodType;
  readonly events: Readonly<Record<EventKind, z.ZodType>>;
};

/**
 * How to find the schema of a snapshot. A request is described as its caller sends it, everything else as the service returns
 * it.
 */
export type SnapshotForm = { readonly io: 'input' | 'output'; readonly of: (forms: SnapshotForms) => z.ZodType };

const FORMS = new WeakMap<z.core.$ZodType, SnapshotForm>();

/**
 * Marks data stored as a snapshot, perhaps by an earlier release. The document shows today's schema, but responses are not
 * validated against it.
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

/** A record as an activity or an event shows it. */
export const snapshot = (name: SnapshotName) => kept(anyObject(AS_IT_WAS), { io: 'output', of: ({ members }) => members[name] });

/** The change that an activity requests. */
export const changeSnapshot = (kind: ChangeActivityKind) =>
  kept(anyObject(AS_IT_WAS), { io: 'output', of: ({ changesOf }) => changesOf(kind) });

/** A stored name from a list that may have lost the name since. */
export const keptName = (names: z.ZodType) => kept(z.string(), { io: 'output', of: () => names });

/** The form in which the document shows a stored snapshot; undefined for a schema that responses are validated against. */
export const formOf = (schema: z.core.$ZodType): SnapshotForm | undefined => FORMS.get(schema);
