"""Holds pnut.io's own Python client against our server: `checks.py`, the server's ready line on standard input.

Prints a line for each area; each comparison is a check. Ends with 1 if one failed.
"""

import base64
import io
import json
import sys
import time
import traceback

import pnutpy
from pnutpy.errors import (
    PnutAPIException,
    PnutAuthAPIException,
    PnutBadRequestAPIException,
    PnutMissing,
    PnutPermissionDenied,
)

READY = json.loads(sys.stdin.readline())["appnet"]
ROOT = READY["pnut"].rstrip("/")
FIRST, SECOND = READY["users"][0], READY["users"][1]
# The longest time for a request, and for all of them, in seconds.
REQUEST_LIMIT, LIMIT = 20, 240
AREAS = []
counted = 0


def area(function):
    AREAS.append(function)
    return function


def client(token=None):
    api = pnutpy.API.build_api(api_root=ROOT, access_token=token)
    send = api.request
    api.request = lambda method, url, *a, **k: send(method, url, *a, **{"timeout": REQUEST_LIMIT, **k})
    return api


me, other, app, nobody = client(FIRST["token"]), client(SECOND["token"]), client(READY["appToken"]), client()


def holds(condition, what="it"):
    global counted
    counted += 1
    assert condition, f"{what} does not hold"


def equal(is_, expected):
    global counted
    counted += 1
    assert is_ == expected, f"{is_!r} is not {expected!r}"


def fails(kind, call):
    global counted
    counted += 1
    try:
        call()
    except kind:
        return
    raise AssertionError(f"no {kind.__name__} was raised")


def has(object_, objects):
    holds(object_.id in [o.id for o in objects], f"{object_.id} among {[o.id for o in objects]}")


def png(width, height):
    """The head of a picture, which is what the server looks at."""
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"
    return head + width.to_bytes(4, "big") + height.to_bytes(4, "big") + b"\x08\x06\x00\x00\x00\x00\x00\x00\x00"


@area
def posts():
    post, meta = me.create_post(data={"text": f"hello #The_Tag /@{SECOND['username']} [a](pnut.io/docs \"b\")"})
    equal(meta.code, 201)
    equal(post.content.text, f"hello #The_Tag /@{SECOND['username']} a [pnut.io]")
    equal(post.content.entities.tags[0].text, "The_Tag")
    holds(post.content.entities.mentions[0].is_copy, "is_copy")
    equal(post.content.entities.mentions[0].id, str(SECOND["id"]))
    equal((post.content.entities.links[0].url, post.content.entities.links[0].title), ("http://pnut.io/docs", "b"))
    equal(post.user.username, FIRST["username"])
    equal(post.source.id, READY["clientID"])
    equal(me.get_post(post)[0].content.text, post.content.text)
    equal([p.id for p in me.get_posts(ids=str(post.id))[0]], [post.id])
    reply, _ = other.create_post(data={"text": "indeed", "reply_to": str(post.id)})
    equal(reply.thread_id, str(post.id))
    equal({p.id for p in me.posts_thread(post)[0]}, {post.id, reply.id})
    holds(other.bookmark_post(post)[0].you_bookmarked, "you_bookmarked")
    equal(me.get_post(post)[0].counts.bookmarks, 1)
    has(post, me.users_bookmarked_posts(SECOND["id"])[0])
    holds(not other.unbookmark_post(post)[0].you_bookmarked, "no bookmark")
    repost, meta = other.repost_post(post)
    equal((repost.repost_of.id, meta.code), (post.id, 201))
    equal([u.username for u in me.get_post(post, include_reposted_by=1)[0].reposters], [SECOND["username"]])
    equal(other.unrepost_post(post)[0].id, post.id)
    has(post, me.users_posts("me")[0])
    has(post, other.users_mentioned_posts("me")[0])
    has(post, me.users_post_streams_me()[0])
    has(post, me.users_post_streams_unified()[0])
    has(post, nobody.posts_streams_global()[0])
    has(post, me.post_search(tags="thetag")[0])
    has(post, me.post_search(q="hello", order="id")[0])
    # The library asks for the path of an older version.
    fails(PnutMissing, lambda: me.posts_with_hashtag("thetag"))
    fails(PnutPermissionDenied, lambda: other.delete_post(post))
    deleted, _ = me.delete_post(post)
    holds(deleted.is_deleted and "content" not in deleted, "the deleted form")
    marked, _ = me.create_post(data={"text": "not for work", "is_nsfw": True})
    holds(marked.is_nsfw, "is_nsfw")
    holds("is_nsfw" not in me.create_post(data={"text": "for work"})[0], "no is_nsfw")


@area
def pages():
    sent = [me.create_post(data={"text": f"page {n}"})[0].id for n in range(25)]
    read = []
    for post in pnutpy.cursor(me.users_posts, "me", count=10):
        read.append(post.id)
        if len(read) == len(sent):
            break
    equal(read, list(reversed(sent)))
    page, meta = me.users_posts("me", count=2)
    equal((len(page), meta.more, meta.max_id), (2, True, str(sent[-1])))
    equal([p.id for p in me.users_posts("me", since_id=sent[-2])[0]], [sent[-1]])


@area
def users():
    user, _ = me.get_user("me")
    equal(user.username, FIRST["username"])
    equal(nobody.get_user("@" + FIRST["username"])[0].id, user.id)
    equal([u.id for u in me.get_users(ids=str(user.id))[0]], [user.id])
    equal(me.patch_user("me", data={"content": {"text": "from #Python"}})[0].content.text, "from #Python")
    changed, _ = me.update_user("me", data={
        "name": "Changed", "locale": "en_US", "timezone": "Europe/Berlin", "content": {"text": "whole"},
    })
    equal((changed.name, changed.timezone, changed.content.text), ("Changed", "Europe/Berlin", "whole"))
    for name, size in [("avatar", (300, 300)), ("cover", (960, 400))]:
        file = (f"{name}.png", io.BytesIO(png(*size)), "image/png")
        user, _ = getattr(me, f"update_{name}")("me", files={name: file})
        equal(user.content[f"{name}_image"].is_default, False)
    has(user, me.user_search(q="@" + FIRST["username"])[0])
    there = str(SECOND["id"])
    holds(me.follow_user(there)[0].you_follow, "you_follow")
    equal([u.username for u in me.users_following("me")[0]], [SECOND["username"]])
    equal([u.username for u in other.users_followers("me")[0]], [FIRST["username"]])
    holds(not me.unfollow_user(there)[0].you_follow, "no follow")
    holds(me.mute_user(there)[0].you_muted, "you_muted")
    equal([u.username for u in me.users_muted_users("me")[0]], [SECOND["username"]])
    equal([u.username for u in me.users_muted_users_ids("me")[0]], [SECOND["username"]])
    holds(not me.unmute_user(there)[0].you_muted, "no mute")
    holds(me.block_user(there)[0].you_blocked, "you_blocked")
    equal([u.username for u in me.users_blocked_users("me")[0]], [SECOND["username"]])
    holds(not me.unblock_user(there)[0].you_blocked, "no block")
    me.unmute_user(there)


@area
def presence():
    equal(me.get_users_presence("me")[0]["presence"], "offline")
    # The library sends it in the query.
    equal(me.update_users_presence("me", presence="in a train")[0]["presence"], "in a train")
    equal(other.get_users_presence(FIRST["id"])[0]["username"], FIRST["username"])
    equal([p["id"] for p in other.user_presence()[0]], [str(FIRST["id"])])
    equal(me.update_users_presence("me", presence="offline")[0]["presence"], "offline")
    equal(list(other.user_presence()[0]), [])


@area
def channels():
    kind = "com.example.python"
    channel, meta = me.create_channel(include_raw=1, data={
        "type": kind,
        "acl": {"read": {"any_user": True}, "write": {"user_ids": [str(SECOND["id"])]}},
        "raw": {"com.example.note": [{"a": [1, None, "x"]}]},
    })
    equal(meta.code, 201)
    equal(channel.user.username, FIRST["username"])
    equal(channel.acl.write.user_ids, [str(SECOND["id"])])
    equal(channel.raw["com.example.note"][0].a, [1, None, "x"])
    equal(me.get_channel(channel)[0].id, channel.id)
    equal([c.id for c in me.get_channels(ids=channel.id)[0]], [channel.id])
    holds(other.subscribe_channel(channel)[0].you_subscribed, "you_subscribed")
    has(channel, other.subscribed_channels(channel_types=kind)[0])
    has(channel, me.users_channels()[0])
    holds(SECOND["username"] in [u.username for u in me.subscribed_users(channel)[0]], "the subscriber")
    changed, _ = me.update_channel(channel, data={
        "acl": {"write": {"any_user": True, "immutable": False, "user_ids": []}},
    })
    holds(changed.acl.write.any_user, "any_user")
    has(channel, me.channel_search(channel_types=kind, order="id")[0])
    holds(other.mute_channel(channel)[0].you_muted, "you_muted")
    has(channel, other.muted_channels()[0])
    holds(not other.unmute_channel(channel)[0].you_muted, "no mute")
    holds(not other.unsubscribe_channel(channel)[0].you_subscribed, "no subscription")


@area
def messages():
    channel, _ = me.create_channel(data={
        "type": "com.example.python", "acl": {"read": {"public": True}, "write": {"any_user": True}},
    })
    sent = [me.create_message(channel, data={"text": f"message {n}"})[0] for n in range(5)]
    equal([m.id for m in me.get_channel_messages(channel)[0]], [m.id for m in reversed(sent)])
    equal(me.get_message(channel, sent[3])[0].content.text, "message 3")
    ids = f"{sent[0].id}, {sent[1].id}"
    equal({m.id for m in me.get_messages(ids=ids)[0]}, {sent[0].id, sent[1].id})
    equal(me.users_messages(count=1)[0][0].id, sent[-1].id)
    has(sent[2], me.message_search(channel_ids=channel.id, q="message")[0])
    holds(me.stick_message(channel, sent[2])[0].is_sticky, "is_sticky")
    equal([m.id for m in me.sticky_messages(channel)[0]], [sent[2].id])
    holds(not me.unstick_message(channel, sent[2])[0].is_sticky, "not sticky")
    deleted, _ = me.delete_message(channel, sent[3])
    holds(deleted.is_deleted and "content" not in deleted, "the deleted form")
    private, _ = me.create_message("pm", data={"text": "psst", "destinations": ["@" + SECOND["username"]]})
    again, _ = other.create_message("pm", data={"text": "yes?", "destinations": [str(FIRST["id"])]})
    equal(private.channel_id, again.channel_id)
    found, _ = me.existing_pm(ids=str(SECOND["id"]))
    equal(found.id, private.channel_id)
    holds("user" not in found and str(FIRST["id"]) in found.acl.write.user_ids, "no owner")
    equal(me.num_unread_pm_channels()[0]["io.pnut.core.pm"], 1)


@area
def files():
    kind = "com.example.python"
    content = ("hello.txt", b"file content", "text/plain")
    created, meta = me.create_file(data={"type": kind, "kind": "other", "is_public": "1"}, files={"content": content})
    equal((meta.code, created.size, created.is_complete, created.is_public), (201, 12, True, True))
    equal(len(base64.b16decode(created.sha256.upper())), 32)
    equal(me.get_file(created.id)[0].name, "hello.txt")
    equal([f.id for f in me.get_files(ids=created.id)[0]], [created.id])
    has(created, me.get_my_files(file_types=kind)[0])
    later, _ = me.create_file(data={"type": kind, "kind": "other", "name": "later.txt"})
    equal((later.is_complete, later.upload_parameters.method), (False, "PUT"))
    equal(me.set_file_content(later.id, files={"content": content}), None)
    holds(me.get_file(later.id)[0].is_complete, "is_complete")
    # Version 1 changes files by PATCH alone, and has no redirect to a content.
    fails(PnutAPIException, lambda: me.update_file(created.id, data={"name": "other.txt"}))
    post, _ = me.create_post(data={"text": "see", "raw": {"io.pnut.core.attachments": [{
        "+io.pnut.core.file": {"file_id": created.id, "file_token": created.file_token, "format": "metadata"},
    }]}})
    equal(me.get_file(created.id)[0].attached_to.posts, [str(post.id)])
    holds(me.delete_file(created.id)[1].code == 200, "the deletion")
    fails(PnutMissing, lambda: me.get_file(created.id))


@area
def polls():
    draft = {
        "type": "com.example.python", "prompt": "Tea?", "duration": 60, "is_public": False,
        "options": [{"text": "Yes"}, {"text": "No"}],
    }
    poll, meta = me.create_poll(data=draft)
    equal((meta.code, poll.prompt, poll.is_anonymous), (201, "Tea?", True))
    equal([o.position for o in poll.options], [1, 2])
    equal(me.get_poll(poll)[0].user.username, FIRST["username"])
    fails(PnutMissing, lambda: other.get_poll(poll))
    public, _ = me.create_poll(data={**draft, "is_public": True})
    answered, _ = other.respond_to_poll(public, 2)
    equal([o.is_your_response for o in answered.options], [False, True])
    holds("respondents" not in answered.options[0], "no respondents while it is open")
    equal([p.id for p in me.get_my_polls(count=2)[0]], [public.id, poll.id])
    fails(PnutBadRequestAPIException, lambda: me.create_poll(data={**draft, "options": [{"text": "Yes"}]}))
    fails(PnutPermissionDenied, lambda: other.delete_poll(public))
    equal(me.delete_poll(public)[0].id, public.id)
    fails(PnutMissing, lambda: me.get_poll(public))


@area
def small_things():
    equal(me.get_config()[0].message.max_length, 2048)
    holds(me.get_stats()[1].code == 200, "statistics")
    token, _ = me.get_token()
    equal((token.user.username, "polls" in token.scopes), (FIRST["username"], True))
    text, _ = me.text_process(data={"text": "#awesome @nobody #123"})
    equal([t.text for t in text.content.entities.tags], ["awesome"])
    equal(text.content.entities.mentions, [])
    streams, _ = me.get_explore_streams()
    holds(len(streams) > 0, "explore streams")
    equal(nobody.get_explore_stream(streams[0])[1].code, 200)
    # The library asks for the path of an older version.
    fails(PnutMissing, lambda: me.interactions_with_user())


@area
def failures():
    fails(PnutAuthAPIException, lambda: nobody.get_user("me"))
    fails(PnutAuthAPIException, lambda: client("wrong").get_token())
    fails(PnutMissing, lambda: me.get_post(99999999))
    fails(PnutBadRequestAPIException, lambda: me.create_post(data={"text": ""}))
    fails(PnutBadRequestAPIException, lambda: me.get_channels())
    fails(PnutPermissionDenied, lambda: app.create_post(data={"text": "x"}))
    secret, _ = other.create_channel(data={"type": "com.example.private"})
    fails((PnutMissing, PnutPermissionDenied), lambda: me.get_channel_messages(secret))


def main():
    for user in (FIRST, SECOND):
        user["id"] = client(user["token"]).get_user("me")[0].id
    failed, start = 0, time.monotonic()
    for function in AREAS:
        before = counted
        try:
            assert time.monotonic() - start < LIMIT, f"the checks before took {LIMIT} seconds"
            function()
            print(f"ok      pnutpy: {function.__name__.replace('_', ' ')}: {counted - before} checks")
        except Exception:  # noqa: BLE001
            failed += 1
            print(f"FAILED  pnutpy: {function.__name__.replace('_', ' ')}")
            traceback.print_exc(file=sys.stdout)
    print(f"interop: pnutpy: {counted} checks, {failed} of {len(AREAS)} areas failed")
    return 1 if failed else 0


sys.exit(main())
