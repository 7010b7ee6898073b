/** An archive that must not be restored, with the reason in words; nothing was written. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';

  constructor(reason: string) {
    super(`The archive is refused: ${reason}. Nothing was written.`);
  }
}
