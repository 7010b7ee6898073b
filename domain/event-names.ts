import { MOVEMENT_KINDS, type MovementKind } from './movements';

/** The name of the log that reports a movement. If no log reports the movement, its kind is the name. */
export const EVENT_NAMES: Readonly<Record<MovementKind, string>> = {
  NativeTransfer: 'NativeTransfer',
  Erc20Transfer: 'Transfer',
  Erc721Transfer: 'Transfer',
  Erc7984Transfer: 'ConfidentialTransfer',
  SplTransfer: 'SplTransfer',
  Spl2022Transfer: 'Spl2022Transfer',
  UtxoTransfer: 'UtxoTransfer',
};

export const kindsNamed = (name: string): readonly MovementKind[] => MOVEMENT_KINDS.filter((kind) => EVENT_NAMES[kind] === name);
