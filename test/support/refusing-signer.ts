import { FAMILY_OPS } from '../../signer/orders/families';
import { FLEET_OPS } from '../../signer/orders/fleets/fleet-requests';
import type { FamilyOp, FleetOp, SignerClient } from '../../signer/protocol';

const refusing = [...FAMILY_OPS, ...FLEET_OPS].map((op) => [op, () => Promise.reject(new Error(`${op} is not asked for here`))]);

/** Refuses the orders of every family and of offline stores. A test replaces the orders that its story needs. */
export const REFUSING_SIGNER: Pick<SignerClient, FamilyOp | FleetOp> = Object.assign(
  Object.create(null),
  Object.fromEntries(refusing),
);
