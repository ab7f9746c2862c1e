import { serviceSettings, setting, text } from '@store/service';

export const settings = {
  ...serviceSettings,
  INVENTORY_LISTEN: setting(text, '127.0.0.1:50052', 'host:port that inventory listens on; port 0 takes a free one'),
  CATALOG_ADDRESS: setting(text, '127.0.0.1:50051', 'host:port of catalog, which knows the products'),
};
