import type { RecoveryRow } from '../../entities/recoveries/recovery.store';

/** A recovery as it is told to its user and to administrators. */
export function recoveryView({ dateCreated, dateEffective, dateExpires, dateEnded, begunBy, endedBy, ...row }: RecoveryRow) {
  return {
    ...row,
    dateCreated: dateCreated.toISOString(),
    dateEffective: dateEffective.toISOString(),
    ...(begunBy === null ? {} : { begunBy }),
    ...(dateExpires === null ? {} : { dateExpires: dateExpires.toISOString() }),
    ...(dateEnded === null ? {} : { dateEnded: dateEnded.toISOString() }),
    ...(endedBy === null ? {} : { endedBy }),
  };
}
