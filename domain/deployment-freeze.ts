/** The origin of a freeze of the whole deployment. `Unknown` means that the freeze state cannot be read. */
export const FREEZE_KINDS = ['Restored', 'Operator', 'Unknown'] as const;
export type FreezeKind = (typeof FREEZE_KINDS)[number];

export type DeploymentFreeze = {
  readonly kind: FreezeKind;
  /** The operator's reason, or a text that names the restored backup. */
  readonly reason: string | null;
  readonly since: Date | null;
};

const SENTENCES: Readonly<Record<FreezeKind, (reason: string) => string>> = {
  Restored: () => 'This deployment was restored and is frozen until its operator has reconciled it; nothing is changed',
  Operator: (reason) => `The operator has frozen this deployment until it is reconciled; nothing is changed. Reason: ${reason}`,
  Unknown: () => 'It is unknown whether this deployment is frozen; nothing is changed',
};

export const freezeSentence = ({ kind, reason }: DeploymentFreeze): string => SENTENCES[kind](reason ?? 'not given');
