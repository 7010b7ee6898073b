/**
 * Thrown for an archive that must not be restored; the message gives the reason. A restore that fails with this error leaves no
 * rows and no files of the archive behind.
 */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';

  constructor(reason: string) {
    super(`The archive is refused: ${reason}. Nothing was written.`);
  }
}
