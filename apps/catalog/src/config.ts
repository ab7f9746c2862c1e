import { serviceSettings, setting, text } from '@store/service';

export const settings = {
  ...serviceSettings,
  CATALOG_LISTEN: setting(text, '127.0.0.1:50051', 'host:port that catalog listens on; port 0 takes a free one'),
};
