-- Run by the image of Citus on each node when its volume is empty: see deploy/citus.yml. The service owns
-- its database and is not a superuser, as with one Postgres.
\getenv password POSTGRES_PASSWORD
create role aisle login nosuperuser nocreatedb nocreaterole noreplication password :'password';
create database aisle owner aisle;
revoke connect on database aisle from public;
revoke connect on database postgres from public;
\connect aisle
create extension if not exists citus;
-- Nodes connect to each other as these two. Node 0 stands for all. About the quotes:
-- https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-KEYWORD-VALUE
insert into pg_dist_authinfo (nodeid, rolename, authinfo)
select 0, rolename, 'password=''' || replace(replace(:'password', '\', '\\'), '''', '\''') || ''''
from (values ('postgres'), ('aisle')) as known (rolename);
