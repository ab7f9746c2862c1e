import { Migration } from '@mikro-orm/migrations';

/** Tiers, rewards, points, and the names of products that rewards give away. */
export class CreateLoyalty extends Migration {
  override up(): void {
    this.addSql('set local search_path to customers');
    this.addSql(`
      create table loyalty_tiers (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        name text not null,
        level int not null,
        description text,
        color text,
        minimum_lifetime_spend numeric(14,2) not null,
        minimum_visits int not null,
        discount_percentage numeric(14,2) not null,
        points_multiplier numeric(14,2) not null,
        free_delivery boolean not null,
        early_access_sales boolean not null,
        benefits_description text,
        benefits_list jsonb not null,
        active boolean not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null,
        unique (store_id, name),
        unique (store_id, level)
      );
      create table tier_changes (
        store_id bigint primary key,
        ranked_to bigint not null
      );
      create table loyalty_rewards (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        name text not null,
        description text,
        reward_type text not null,
        points_required int not null,
        discount_amount numeric(14,2),
        discount_percentage numeric(14,2),
        store_credit_amount numeric(14,2),
        product_id bigint,
        minimum_tier_level int,
        redemption_limit int,
        valid_from timestamptz(3),
        valid_until timestamptz(3),
        reward_description text,
        active boolean not null,
        created_at timestamptz(3) not null,
        updated_at timestamptz(3) not null
      );
      create index loyalty_rewards_listed on loyalty_rewards (store_id, points_required, id);
      create table products (
        store_id bigint not null,
        id bigint not null,
        name text not null,
        deleted boolean not null,
        version bigint not null,
        primary key (store_id, id)
      )`);
    this.addSql(`
      create table loyalty_movements (
        id bigint generated always as identity primary key,
        store_id bigint not null,
        customer_id bigint not null,
        movement_type text not null,
        points bigint not null,
        points_before bigint not null,
        points_after bigint not null,
        reward_id bigint,
        sale_id bigint,
        reason text,
        user_id bigint,
        user_name text,
        created_at timestamptz(3) not null,
        constraint loyalty_movements_continue check (points_before + points = points_after)
      );
      create index loyalty_movements_customer on loyalty_movements (store_id, customer_id, id);
      -- How often a customer redeemed a reward.
      create index loyalty_movements_reward on loyalty_movements (store_id, customer_id, reward_id) where reward_id is not null;
      -- A sale gives points once, and its void takes them back once.
      create unique index loyalty_movements_sale on loyalty_movements (store_id, sale_id, movement_type) where sale_id is not null`);
  }
}
