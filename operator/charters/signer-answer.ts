import { existsSync } from 'node:fs';

const ADOPTED = 'Adopted';

const STATUS = { charter: 'authority:status', restriction: 'authority:status', entry: 'key-store list' } as const;

type Offer = {
  readonly stateDir: string;
  readonly what: keyof typeof STATUS;
  /** The meaning of each refusal, and the remedy. */
  readonly refused: Readonly<Record<string, string>>;
  /** The signer's outcome. Undefined if no signer has responded. */
  readonly offer: () => Promise<string | undefined>;
};

/**
 * Submits a charter, a restriction or an entry about a key store to the signer of the folder. Throws an error that states the reason unless the signer adopts
 * the document.
 */
export async function assertAdopted({ stateDir, what, refused, offer }: Offer): Promise<void> {
  if (!existsSync(stateDir))
    throw new Error(`${stateDir} does not exist: SIGNER_STATE_DIR must be the state folder of the signer.`);
  const outcome = await offer();
  if (outcome === ADOPTED) return;
  if (outcome === undefined)
    throw new Error(
      `No signer of ${stateDir} has answered. The ${what} stays in the folder, and the signer reads it at its next start: check ${STATUS[what]} then.`,
    );
  throw new Error(`The signer REFUSES the ${what} (${outcome}). ${refused[outcome] ?? ''}`.trim());
}
