import { createChainActivities, createMainActivities, createSignerActivities, createVendorActivities } from '../../activities';
import { activityNames, namesMadeBy } from '../support/durable-names';

test('every activity of the folder `activities`, and no other, is registered for one queue', () => {
  const registered = [
    ...namesMadeBy(createMainActivities),
    ...namesMadeBy(createSignerActivities),
    ...namesMadeBy(createChainActivities),
    ...namesMadeBy(createVendorActivities),
  ];
  expect(registered.sort()).toEqual(activityNames().sort());
});
