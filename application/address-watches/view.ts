import type { AddressWatchEntity } from '../../entities/address-watches/address-watch.entity';

/** The interface calls this view `AddressWatch` and allows no other members. */
export function addressWatchView({ id, network, address, status, ...watch }: AddressWatchEntity) {
  const { name, externalId, dateCreated, dateDeleted } = watch;
  return {
    ...{ id, network, address },
    ...(name === null ? {} : { name }),
    ...(externalId === null ? {} : { externalId }),
    status,
    dateCreated: dateCreated.toISOString(),
    ...(dateDeleted === null ? {} : { dateDeleted: dateDeleted.toISOString() }),
  };
}

export type AddressWatchView = ReturnType<typeof addressWatchView>;
