import type { GroupOptions } from '@store/events';
import { withAdmin } from '@store/events/kafka';

/** Makes a group start at the first message again by deleting its offsets. False while the group still has a member. */
export function rewind({ group, prefix = '', ...place }: GroupOptions): Promise<boolean> {
  return withAdmin({ prefix, ...place }, async (admin) => {
    try {
      await admin.deleteGroups([prefix + group]);
      return true;
    } catch (error) {
      if ((error as { groups?: { error?: { type?: string } }[] }).groups?.[0]?.error?.type !== 'NON_EMPTY_GROUP') throw error;
      return false;
    }
  });
}
