export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Throws `Unreadable` past the end of the bytes, and for a count that is not in its shortest form. */
export class ByteReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  get position(): number {
    return this.at;
  }

  /** The bytes between two positions that were read. */
  between(from: number, to: number): Buffer {
    return this.bytes.subarray(from, to);
  }

  take(count: number): Buffer {
    if (count > this.bytes.length - this.at) throw new Unreadable('the bytes end too early');
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  u64(): bigint {
    return this.take(8).readBigUInt64LE();
  }

  count(): number {
    const first = this.take(1).readUInt8();
    if (first < 0xfd) return first;
    const width = first === 0xfd ? 2 : 4;
    const count = first === 0xff ? 0 : this.take(width).readUIntLE(0, width);
    if (count < (width === 2 ? 0xfd : 0x1_0000)) throw new Unreadable('a count is not in its shortest form');
    return count;
  }

  /** Reads a length and then as many bytes. */
  chunk(): Buffer {
    return this.take(this.count());
  }
}

export function u32Bytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function u64Bytes(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

export function countBytes(count: number): Buffer {
  if (count < 0xfd) return Buffer.from([count]);
  const wide = Buffer.alloc(count <= 0xffff ? 3 : 5);
  wide.writeUInt8(count <= 0xffff ? 0xfd : 0xfe);
  wide.writeUIntLE(count, 1, wide.length - 1);
  return wide;
}

export const chunkBytes = (bytes: Uint8Array): Buffer => Buffer.concat([countBytes(bytes.length), bytes]);
