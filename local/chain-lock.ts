/** Either any number of readers or a single writer holds the lock. While a writer waits, no new reader gets the lock. */
export class ChainLock {
  private readers = 0;
  private writers: Promise<void> = Promise.resolve();
  private writing = 0;
  private idle: (() => void) | undefined;

  async shared<T>(work: () => Promise<T>): Promise<T> {
    while (this.writing > 0) await this.writers;
    this.readers += 1;
    try {
      return await work();
    } finally {
      this.readers -= 1;
      if (this.readers === 0) this.idle?.();
    }
  }

  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.writing += 1;
    const turn = this.writers.then(async () => {
      if (this.readers > 0) await new Promise<void>((resolve) => (this.idle = resolve));
      this.idle = undefined;
      return work();
    });
    this.writers = turn.then(
      () => this.leave(),
      () => this.leave(),
    );
    return turn;
  }

  private leave(): void {
    this.writing -= 1;
  }
}
