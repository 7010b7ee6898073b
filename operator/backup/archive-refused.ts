/** Thrown for an archive that must not be restored. The failed restore does not leave any rows or files from the archive. */
export class ArchiveRefused extends Error {
  override readonly name = 'ArchiveRefused';

  constructor(reason: string) {
    super(`The archive is refused: ${reason}. No row and no file of the archive was written.`);
  }
}
