import { Refusal } from '../../wire/refusal';
import type { FleetOperations } from './fleet-requests';

type Guarded = <O, R>(carryOut: (order: O) => Promise<R>) => (order: O) => Promise<R>;

/** No entry of the journal opens an offline store, so every order about an offline store is refused. */
export function createFleetOperations(guarded: Guarded): FleetOperations {
  const refuse = guarded(async (): Promise<never> => {
    throw new Refusal('StoreUnknown');
  });
  return {
    sealFleetInput: refuse,
    recordFleet: refuse,
    assignFleetKey: refuse,
    vouchTransfer: refuse,
    vouchUtxo: refuse,
    vouchSolana: refuse,
    vouchPayload: refuse,
  };
}
