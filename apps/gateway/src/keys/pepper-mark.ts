import { defineEntity, p } from '@mikro-orm/core';

export const PepperMark = defineEntity({
  name: 'PepperMark',
  tableName: 'pepper_marks',
  properties: { pepperId: p.integer().primary().autoincrement(false), mark: p.blob() },
});
