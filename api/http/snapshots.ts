import { z } from 'zod';
import type { EventKind } from '../../domain/events';
import type { ChangeActivityKind } from '../../domain/policies';

/** Forms that another area has: those of what an activity is about, and of what an event carries. */
type SnapshotName = 'transferRequest' | 'transactionRequest' | 'signatureRequest' | 'blockchainEvent' | 'eventData';

/** The forms of all snapshots. `openapi.ts` is given them, because no area knows those of the others. */
export type SnapshotForms = {
  readonly members: Readonly<Record<SnapshotName, z.ZodType>>;
  /** The change requests that policies of this kind judge. */
  readonly changesOf: (kind: ChangeActivityKind) => z.ZodType;
  readonly events: Readonly<Record<EventKind, z.ZodType>>;
};

/** The form of a snapshot, or how to find it; a request is described as it is sent, everything else as it is answered. */
export type SnapshotForm = { readonly io: 'input' | 'output'; readonly of: (forms: SnapshotForms) => z.ZodType };

const FORMS = new WeakMap<z.core.$ZodType, SnapshotForm>();

/** Marks what a row keeps as it was taken, perhaps by an earlier release: the document is held to today's form, an answer is not. */
function kept<T extends z.ZodType>(stored: T, form: SnapshotForm): T {
  FORMS.set(stored, form);
  return stored;
}

const anyObject = (description: string) => z.record(z.string(), z.unknown()).describe(description);

/** The body of a request, as its caller sent it. */
export const bodyAsSent = (body: z.ZodType) =>
  kept(anyObject('As it was sent; one of an earlier release may have a form of then'), { io: 'input', of: () => body });

/** A record as an activity or an event shows it. */
export const snapshot = (name: SnapshotName) =>
  kept(anyObject('As it was then'), { io: 'output', of: ({ members }) => members[name] });

/** The change that an activity asks for. */
export const changeSnapshot = (kind: ChangeActivityKind) =>
  kept(anyObject('As it was then'), { io: 'output', of: ({ changesOf }) => changesOf(kind) });

/** A name out of a list that may have lost some since. */
export const keptName = (names: z.ZodType) => kept(z.string(), { io: 'output', of: () => names });

/** The form in which the document shows this schema; undefined for everything that an answer is held to. */
export const formOf = (schema: z.core.$ZodType): SnapshotForm | undefined => FORMS.get(schema);
