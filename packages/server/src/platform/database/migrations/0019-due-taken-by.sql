-- A product that was taken to be looked at names the run of its store's job that took it, so that the next run frees at once
-- what a node took that ended in the middle.
alter table certificate_due add column taken_by uuid;
