import { z } from 'zod';
import type { EventKind } from '../../domain/events';
import type { ChangeActivityKind } from '../../domain/policies';

/**
 * Snapshots whose schemas belong to an area. `eventData` is the data of an event, and `auditData` is the data of an audit log
 * entry.
 */
type SnapshotName = 'transferRequest' | 'transactionRequest' | 'signatureRequest' | 'blockchainEvent' | 'eventData' | 'auditData';

/** `openapi.ts` receives these schemas as an argument, so that this folder does not import any area of the API. */
export type SnapshotForms = {
  readonly members: Readonly<Record<SnapshotName, z.ZodType>>;
  readonly changesOf: (kind: ChangeActivityKind) => z.ZodType;
  readonly events: Readonly<Record<EventKind, z.ZodType>>;
};

/** `io` is `input` for the body of a request, which the document describes as the caller sends it. */
export type SnapshotForm = { readonly io: 'input' | 'output'; readonly of: (forms: SnapshotForms) => z.ZodType };

const FORMS = new WeakMap<z.core.$ZodType, SnapshotForm>();

/**
 * Marks the schema of a stored snapshot, which an earlier release may have written. Responses are not validated against the
 * schema of this release.
 */
function kept<T extends z.ZodType>(stored: T, form: SnapshotForm): T {
  FORMS.set(stored, form);
  return stored;
}

const anyObject = (description: string) => z.record(z.string(), z.unknown()).describe(description);

const AS_IT_WAS = "The state at that time; an earlier release may have stored it in that release's form";

export const bodyAsSent = (body: z.ZodType) =>
  kept(anyObject("The body as it was sent; a body that an earlier release received may have that release's form"), {
    io: 'input',
    of: () => body,
  });

export const snapshot = (name: SnapshotName) => kept(anyObject(AS_IT_WAS), { io: 'output', of: ({ members }) => members[name] });

export const changeSnapshot = (kind: ChangeActivityKind) =>
  kept(anyObject(AS_IT_WAS), { io: 'output', of: ({ changesOf }) => changesOf(kind) });

/** The name may come from an earlier release and be missing from the list of this release. */
export const keptName = (names: z.ZodType) => kept(z.string(), { io: 'output', of: () => names });

/** Undefined for a schema that is not marked. */
export const formOf = (schema: z.core.$ZodType): SnapshotForm | undefined => FORMS.get(schema);
