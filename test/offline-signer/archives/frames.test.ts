import { randomBytes } from 'node:crypto';
import { FRAME_CHARS_MAX, FRAMES_MAX, framesOf, joinFrames } from '../../../offline-signer/archives/frames';

const bytes = randomBytes(22_000);
const frames = framesOf(bytes);

test('an archive of a genesis with 100 keys fits few frames, in any order', () => {
  expect(frames).toHaveLength(62);
  for (const frame of frames) expect(frame.length).toBeLessThanOrEqual(FRAME_CHARS_MAX);
  expect(joinFrames([...frames].reverse())).toEqual(bytes);
  expect(joinFrames([...frames, ...frames.slice(3, 9), ''])).toEqual(bytes);
});

test('missing frames are named', () => {
  expect(() => joinFrames(frames.filter((_, at) => at !== 4 && at !== 60))).toThrow('5, 61 of 62');
  expect(() => joinFrames([])).toThrow('no frame');
});

test('a frame that was read wrongly is refused, at each of its characters', () => {
  const [frame = ''] = frames;
  for (let at = 0; at < frame.length; at += 1) {
    const changed = frame[at] === '1' ? '2' : '1';
    const others = frames.slice(1);
    expect(() => joinFrames([`${frame.slice(0, at)}${changed}${frame.slice(at + 1)}`, ...others])).toThrow();
  }
});

test('frames of two archives are not mixed', () => {
  const others = framesOf(randomBytes(22_000));
  expect(() => joinFrames([...frames.slice(1), others[0] as string])).toThrow('different archives');
});

test('an archive that is too long to show travels on a medium', () => {
  const chunkBytes = 360;
  expect(framesOf(randomBytes(FRAMES_MAX * chunkBytes))).toHaveLength(FRAMES_MAX);
  expect(() => framesOf(randomBytes(FRAMES_MAX * chunkBytes + 1))).toThrow('Carry it on a medium');
  expect(() => framesOf(Buffer.alloc(0))).toThrow('0 frames');
});
