const FINGERPRINT = /(?:[0-9a-f]{4} ){7}[0-9a-f]{4}/;
const LINE = /^(Serial|Fingerprint|Manifest) +(.+)$/;
const MEMBER = /^the (?:provisioner|operator|new member|new device) (\S+)$/;
const ASKED = /^Type the fingerprint of (.+) from paper: $/;

/** The secrets that the person at a machine knows or throws. */
export type Person = { readonly pin: string; readonly rolls: () => string };

/** The sheet of a meeting: people write fingerprints down from screens, and type them into other machines. */
export class Paper {
  readonly #signer: string;
  readonly #cards = new Map<string, string>();
  #manifest: string | undefined;

  constructor(signer: string) {
    this.#signer = signer;
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
