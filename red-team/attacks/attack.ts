import type { Random } from '../../drill/chaos/random';
import type { Genuine } from '../honest';
import type { Order } from '../orders';
import type { Organization } from '../organization';
import type { Outcome } from '../wire';

/** The input of an attack. The attacker also has the frame key and everything that the service has recorded. */
export type Scene = {
  readonly organization: Organization;
  readonly random: Random;
  /** The number of the attempt. */
  readonly number: number;
  /** The genuine order to attack, and a second genuine order from which parts are taken. */
  readonly genuine: Genuine;
  readonly other: Genuine;
  readonly socketPath: string;
  readonly stateDir: string;
};

/** An order, the text of a message, or an action with its own connection. `before` is a genuine order that is sent first. */
export type Attempt =
  | { readonly order: object; readonly before?: Order }
  | { readonly textOf: (id: number) => string }
  | { readonly act: () => Promise<Outcome> };

export type Attack = {
  readonly kind: string;
  /** How often the kind is chosen, compared with the other kinds. */
  readonly weight: number;
  /** Undefined if the genuine order does not contain anything that this kind could change. */
  readonly make: (scene: Scene) => Attempt | undefined;
};

export const evidenceOf = (order: Order) => order.evidence ?? [];
