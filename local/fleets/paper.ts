const FINGERPRINT = /(?:[0-9a-f]{4} ){7}[0-9a-f]{4}/;
const LINE = /^(Serial|Fingerprint|Manifest|Next manifest) +(.+)$/;
const MEMBER = /^the (?:provisioner|operator|new member|new device) (\S+)$/;
const ASKED = /^Type the fingerprint of (.+) from paper: $/;

const FIRST_HALF = 32;
const LABEL_CHARS = 14;
const grouped = (hex: string): string => (hex.slice(0, FIRST_HALF).match(/.{4}/g) ?? []).join(' ');

/** The secrets that the person at a machine knows or throws. */
export type Person = { readonly pin: string; readonly rolls: () => string };

/** The sheet of a meeting: people write fingerprints down from screens, and type them into other machines. */
export class Paper {
  readonly #cards = new Map<string, string>();
  #signer: string | undefined;
  #manifest: string | undefined;
  #newest: string | undefined;

  /** The first half of a key, in groups of four. */
  readSigner(publicKey: string): void {
    this.#signer = grouped(publicKey);
  }

  /** True if the first half of the digest is the manifest that a screen showed last, whether or not it was made already. */
  hasManifest(digest: string): boolean {
    return this.#newest !== undefined && grouped(digest) === this.#newest;
  }

  /** The sheet as text. */
  lines(): readonly string[] {
    const entries = [['Signer', this.#signer], ...this.#cards, ['Manifest', this.#manifest]] as const;
    return entries.flatMap(([name, fingerprint]) =>
      fingerprint === undefined ? [] : [`${name.padEnd(LABEL_CHARS)} ${fingerprint}`],
    );
  }

  /** Writes down the fingerprints in the lines of a screen. */
  read(lines: readonly string[]): void {
    let serial = '';
    for (const line of lines) {
      const [, label, value = ''] = LINE.exec(line) ?? [];
      if (label === 'Serial') serial = value;
      const fingerprint = FINGERPRINT.exec(value)?.[0];
      if (fingerprint === undefined) continue;
      if (label === 'Fingerprint') this.#cards.set(serial, fingerprint);
      if (label === 'Manifest') this.#manifest = fingerprint;
      if (label === 'Manifest' || label === 'Next manifest') this.#newest = fingerprint;
    }
  }

  /** The words that a person types. Undefined if neither the sheet nor the person has an answer. */
  answerTo(question: string, { pin, rolls }: Person): string | undefined {
    if (/^(?:PIN|Choose a PIN|Type the PIN again): $/.test(question)) return pin;
    if (question.endsWith(' (yes or no) ')) return 'yes';
    if (question.includes('rolls of dice')) return rolls();
    if (question.includes('date of today')) return new Date().toISOString().split('T')[0];
    const [, what = ''] = ASKED.exec(question) ?? [];
    if (what.startsWith('the signer ')) return this.#signer;
    const [, member] = MEMBER.exec(what) ?? [];
    if (member !== undefined) return this.#cards.get(member);
    return what.includes('manifest') ? this.#manifest : undefined;
  }
}
