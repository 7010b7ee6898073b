import type { RecoveryRow } from '../../entities/recoveries/recovery.store';

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
